// A program that links this records from its first allocation, with the search for leaks, into a file of its own below
// $TMPDIR: what the tests of a package need that nobody starts under gameprof.
#ifndef GP_TEST_RECORDING_H
#define GP_TEST_RECORDING_H

/// Path of the trace, NULL when the environment asked for another recording or for none (GAMEPROF_TESTING=off).
const char *gp_test_trace(void);

#endif
