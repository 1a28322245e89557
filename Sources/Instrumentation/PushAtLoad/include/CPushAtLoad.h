#pragma once

/// Begins to send profiles as the environment asks for it. Defined in Swift; called once, on a thread of its own.
void gp_push_from_environment(void);
