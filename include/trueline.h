/* trueline.h: the profile library's interface for C and every language that can call C.
 *
 * Link with the library that `trueline --print runtime` names, and with -lm -ldl -lpthread:
 *
 *     cc prog.c $(trueline --print runtime) -lm -ldl -lpthread
 *
 * The program then writes a profile to TRUELINE_PROFILE_FILE (trueline-profile.json) however it
 * ends; `trueline report` shows it.
 *
 * Every construct that is measured has one zero-initialised static record, in which the library caches the
 * construct's number at the first use. Starts and ends nest; every start has its end, on every way out. An end
 * belongs to the newest start of its kind in the same thread. All routines may be called from any thread.
 *
 * Objects of `gcc -finstrument-functions` and OpenUH's __profile_ routines are served too.
 */
#ifndef TRUELINE_H
#define TRUELINE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The record of one construct. Declare it static; do not touch its fields. */
typedef struct trueline_record {
    const char *name;
    uint32_t construct;
    uint32_t id;
} trueline_record;

/* The name of a construct is any text; "FILE:LINE: TEXT" gives it a place in the source. It is read at the
 * first use of the record. */

/* Begins the profile. Optional: the first start does it. */
void trueline_start_profile(const char *name, trueline_record *record);
/* Ends the profile: nothing is measured from now on. Optional: the end of the program does it. */
void trueline_end_profile(void);

/* A procedure is entered and left. */
void trueline_start_procedure(const char *name, trueline_record *record);
void trueline_end_procedure(void);

/* A loop is entered, begins an iteration, and is left. ENTRY is 1 where an invocation of the loop begins, and
 * 0 where another part of the same invocation goes on. */
void trueline_start_loop(const char *name, trueline_record *record, int32_t entry);
void trueline_incr_loop(void);
void trueline_end_loop(void);

/* Any other piece of code; ENTRY as above. */
void trueline_start_region(const char *name, trueline_record *record, int32_t entry);
void trueline_end_region(void);

/* A condition was evaluated; VALUE is its value: true or false, or of any sign. */
void trueline_start_log_if(const char *name, trueline_record *record, int32_t value);
void trueline_start_arith_if(const char *name, trueline_record *record, int32_t value);

/* Timing is switched off and on; counting goes on. The time between is a region of its own, "measurement off". */
void trueline_pause_profile(void);
void trueline_resume_profile(void);
/* One construct's timer is switched off (TIMED is 0) or on. */
void trueline_mask_record(trueline_record *record, int32_t timed);

#ifdef __cplusplus
}
#endif

#endif
