/* Signals that would end the process, noted in a pipe instead, from whatever thread and in the middle of whatever call. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int mt_pipe = -1;
static pid_t mt_catcher = -1;

static void mt_note_signal(int number) {
    int before = errno;
    unsigned char byte = (unsigned char)number;
    if (getpid() == mt_catcher) {
        if (write(mt_pipe, &byte, 1) < 0) { /* the pipe is full: enough is known */ }
    } else { /* a forked child: the profiles are its parent's, and it dies as it would have */
        signal(number, SIG_DFL);
        raise(number);
    }
    errno = before;
}

static void mt_note_into(int pipe) {
    mt_pipe = pipe;
    mt_catcher = getpid();
}

/* Whether the signal is noted from now on: not where the program answers or ignores it. */
static int mt_catch_signal(int number) {
    struct sigaction now;
    if (sigaction(number, NULL, &now) != 0) return 0;
    if (now.sa_handler == mt_note_signal) return 1;
    if (now.sa_handler != SIG_DFL) return 0;
    memset(&now, 0, sizeof now);
    now.sa_handler = mt_note_signal;
    now.sa_flags = SA_RESTART | SA_ONSTACK; /* the program's own calls do not notice */
    sigemptyset(&now.sa_mask);
    return sigaction(number, &now, NULL) == 0;
}

/* The default again, unless the program has set an answer of its own since. */
static void mt_release_signal(int number) {
    struct sigaction now;
    if (sigaction(number, NULL, &now) == 0 && now.sa_handler == mt_note_signal) signal(number, SIG_DFL);
}
