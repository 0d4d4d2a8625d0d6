/* Serial ports. See serial_port.h.
   SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "serial_port.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static const struct {
    unsigned long baud;
    speed_t speed;
} speeds[] = {{9600, B9600},       {19200, B19200},     {38400, B38400},     {57600, B57600},
              {115200, B115200},   {230400, B230400},   {460800, B460800},   {500000, B500000},
              {921600, B921600},   {1000000, B1000000}, {1500000, B1500000}, {2000000, B2000000},
              {3000000, B3000000}, {4000000, B4000000}};

/* B0, which hangs up, if there is no such rate. */
static speed_t speed_of(unsigned long baud)
{
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
        if (speeds[i].baud == baud)
            return speeds[i].speed;
    }
    return B0;
}

int serial_port_has(unsigned long baud)
{
    return speed_of(baud) != B0;
}

static int set(int fd, unsigned long baud)
{
    struct termios settings;
    if (tcgetattr(fd, &settings))
        return -1;
    (void)ioctl(fd, TIOCEXCL);
    cfmakeraw(&settings);
    settings.c_cflag &= (tcflag_t)~(CSTOPB | CRTSCTS | PARENB);
    settings.c_cflag |= CLOCAL | CREAD | CS8;
    settings.c_cc[VMIN] = 0;
    settings.c_cc[VTIME] = 0;
    if (cfsetspeed(&settings, speed_of(baud)) || tcsetattr(fd, TCSANOW, &settings))
        return -1;
    (void)tcflush(fd, TCIOFLUSH);
    return 0;
}

int serial_port_open(const char *path, unsigned long baud)
{
    int fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && set(fd, baud)) {
        int error = errno;
        (void)close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

void serial_port_close(int fd)
{
    (void)ioctl(fd, TIOCNXCL);
    (void)close(fd);
}
