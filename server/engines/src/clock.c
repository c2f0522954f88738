/* GNU Prolog's own clocks count milliseconds. */
#include <gprolog.h>
#include <time.h>

PlBool cl_clock(double *seconds)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    *seconds = now.tv_sec + now.tv_nsec * 1e-9;
    return PL_TRUE;
}
