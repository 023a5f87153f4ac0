/* Preloaded into a build: the n-th call that writes below a folder fails, and clocks jump.
   FAULTS_BELOW: the folder; FAULTS_AT: n, from 1; FAULTS_ERROR: errno; FAULTS_LASTS: whether later
   calls fail, too; FAULTS_CLOCK: seed of the jumps, 0 for none; FAULTS_REACHED: file to make at
   the first failure. Each process counts for itself. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long calls, at;
static int error, lasts;
static const char *below, *reached;
static unsigned long clock_seed;

__attribute__((constructor)) static void begin(void) {
    const char *text;
    below = getenv("FAULTS_BELOW");
    reached = getenv("FAULTS_REACHED");
    at = (text = getenv("FAULTS_AT")) ? atol(text) : 0;
    error = (text = getenv("FAULTS_ERROR")) ? atoi(text) : EIO;
    lasts = (text = getenv("FAULTS_LASTS")) ? atoi(text) : 0;
    clock_seed = (text = getenv("FAULTS_CLOCK")) ? strtoul(text, 0, 10) : 0;
}

static int is_below(const char *path) {
    return path && strncmp(path, below, strlen(below)) == 0;
}

static int fails(int counted) {
    if (!at || !counted) return 0;
    long number = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
    if (number != at && !(lasts && number > at)) return 0;
    int made = open(reached, O_CREAT | O_WRONLY, 0644);
    if (made >= 0) close(made);
    errno = error;
    return 1;
}

static int fails_at(int file) {
    if (!at) return 0;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0) return 0;
    path[size] = 0;
    return fails(is_below(path));
}

#define REAL(name) static __typeof__(&name) real; if (!real) real = dlsym(RTLD_NEXT, #name)

ssize_t write(int file, const void *data, size_t size) {
    REAL(write);
    return fails_at(file) ? -1 : real(file, data, size);
}

ssize_t pwrite64(int file, const void *data, size_t size, off64_t place) {
    REAL(pwrite64);
    return fails_at(file) ? -1 : real(file, data, size, place);
}

int fsync(int file) {
    REAL(fsync);
    return fails_at(file) ? -1 : real(file);
}

int rename(const char *old, const char *new) {
    REAL(rename);
    return fails(at && is_below(new)) ? -1 : real(old, new);
}

int mkdir(const char *path, mode_t mode) {
    REAL(mkdir);
    return fails(at && is_below(path)) ? -1 : real(path, mode);
}

/* Up to ten years to either side, another jump at each look. */
static long jump(void) {
    unsigned long next = __atomic_add_fetch(&clock_seed, 0x9e3779b97f4a7c15UL, __ATOMIC_SEQ_CST);
    next = (next ^ (next >> 30)) * 0xbf58476d1ce4e5b9UL;
    return (long)((next ^ (next >> 31)) % 630000000UL) - 315000000L;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    REAL(clock_gettime);
    int code = real(clock, now);
    if (clock_seed && code == 0 && clock == CLOCK_REALTIME) now->tv_sec += jump();
    return code;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    REAL(gettimeofday);
    int code = real(now, zone);
    if (clock_seed && code == 0) now->tv_sec += jump();
    return code;
}

time_t time(time_t *into) {
    REAL(time);
    time_t now = real(0) + (clock_seed ? jump() : 0);
    if (into) *into = now;
    return now;
}
