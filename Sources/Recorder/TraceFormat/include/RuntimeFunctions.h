// Functions of the Swift runtime that the recorder looks for in its process, and the tool in a process that it samples from outside.
#pragma once

// They lie around a job's own functions: known by name where the runtime is part of the program, else by their library. The first
// runs a job.
static const char *const gp_job_functions[] = {
    "swift_job_run",
    "_ZN5swift34runJobInEstablishedExecutorContextEPNS_3JobE",
    "_ZL12completeTaskPN5swift12AsyncContextEPNS_10SwiftErrorE",
    "_ZL22completeTaskAndReleasePN5swift12AsyncContextEPNS_10SwiftErrorE",
    "_ZL23completeTaskWithClosurePN5swift12AsyncContextEPNS_10SwiftErrorE",
    "_ZL14future_adapterPN5swift12AsyncContextE",
    "_ZL18non_future_adapterPN5swift12AsyncContextE",
    "_ZL30task_group_wait_resume_adapterPN5swift12AsyncContextE",
    "_ZL31task_future_wait_resume_adapterPN5swift12AsyncContextE",
    "_ZL33task_wait_throwing_resume_adapterPN5swift12AsyncContextE",
};
