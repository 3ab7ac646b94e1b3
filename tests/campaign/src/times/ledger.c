/* The ledger: work that takes a known time, and a note of when each piece of it began and ended.
 *
 * It reads the clock that the profile reads, so a thread that is descheduled while it works is charged in both.
 * The notes go to the file that CAMPAIGN_LEDGER names when the program ends. With CAMPAIGN_UNEVEN the time of each piece is a little
 * longer or shorter. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MOST 65536

/* KEY is which iteration it was, as far as the caller says. */
struct event {
    uint32_t site, cost, key, opaque;
    uint64_t start, end;
};

static struct event events[MOST];
static uint32_t count;
static double ticks_per_microsecond = 1000.0;
static uint64_t state;

static uint64_t ticks(void) {
#if defined(__x86_64__)
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
#elif defined(__aarch64__)
    uint64_t now;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
    return now;
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}

/* A number from 1 - SPREAD to 1 + SPREAD if CAMPAIGN_UNEVEN is set; else 1. */
static double around_one(double spread) {
    if (!state) return 1.0;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return 1.0 + spread * ((double)(state >> 32) / 2147483648.0 - 1.0);
}

/* Samples are taken at ticks of the kernel. Work that took the same time in each iteration and each run would be in step with
 * them, and samples that fall on the same place again and again tell less than as many independent ones. */
static void burn(uint32_t site, uint32_t cost, uint32_t key, uint32_t opaque) {
    uint64_t start = ticks();
    struct event *e = &events[count < MOST ? count : MOST - 1];
    uint64_t until = start + (uint64_t)(cost * ticks_per_microsecond * around_one(0.25));
    count++;
    e->site = site;
    e->cost = cost;
    e->key = key;
    e->opaque = opaque;
    e->start = start;
    while (ticks() < until) {
    }
    e->end = ticks();
}

/* CALL WORK(SITE, MICROSECONDS): an effect that nothing passes. */
void work_(const int32_t *site, const int32_t *cost) {
    burn((uint32_t)*site, (uint32_t)*cost, 0, 1);
}

/* CALL OPAQUE(TO, FROM): an assignment that no compiler sees. */
void opaque_(int32_t *to, const int32_t *from) {
    *to = *from;
}

/* GAMMA(SITE * 512 + MICROSECONDS + KEY / 4096): work without an effect, which loops may be fused and interchanged around.
 * The function of the C library would be as fast as the machine likes. */
double tgamma(double x) {
    uint32_t code = x > 0 && x < 4294967295.0 ? (uint32_t)x : 0;
    burn(code / 512, code % 512, (uint32_t)((x - code) * 4096.0 + 0.5), 0);
    return 0.25;
}

static double microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

__attribute__((constructor)) static void calibrate(void) {
    double from = microseconds(), to;
    uint64_t first = ticks();
    do {
        to = microseconds();
    } while (to - from < 100.0);
    state = getenv("CAMPAIGN_UNEVEN") ? ticks() | 1 : 0;
    around_one(0.0);
    ticks_per_microsecond = (double)(ticks() - first) / (to - from) * around_one(0.2);
}

__attribute__((destructor)) static void write_down(void) {
    const char *path = getenv("CAMPAIGN_LEDGER");
    FILE *f = path ? fopen(path, "wb") : NULL;
    if (f) {
        fwrite(events, sizeof events[0], count < MOST ? count : MOST, f);
        fclose(f);
    }
}
