/* Serial ports: 8 data bits, no parity, one stop bit, no flow control.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef ECCEL_SERIAL_PORT_H
#define ECCEL_SERIAL_PORT_H

/* 1 if the operating system knows the rate. */
int serial_port_has(unsigned long baud);

/* Opens a port for this process alone, without blocking, and empties it. Returns the descriptor, or -1 with errno. */
int serial_port_open(const char *path, unsigned long baud);

void serial_port_close(int fd);

#endif
