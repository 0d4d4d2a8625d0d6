/* The settings in the provider's section of openssl.cnf.
   SPDX-License-Identifier: Apache-2.0

   setting         values            default       meaning
   devices         URIs              -             the devices of libeccel, separated by spaces; none: software only
   fallback        yes, no           yes           no: strict, an operation fails if no device does it
   route           see below         -             hardware or software for each curve and operation
   software-below  number            0             fewer jobs in flight than this are done in software
   timeout-ms      number            10000         of one job
   retry-ms        number            1000          after which a failed device is tried again
   connect-ms      number            2000          for reaching a device
   max-in-flight   number            4096          jobs that wait for the devices
   blind           yes, no           yes           blind secret scalars in the device
   check           yes, no           no            let the device compute multiples by secret scalars twice
   counters        path or "none"    /dev/shm/..   see counters.h
   software        provider name     default       the provider that does what no device does, and computes digests

   route is a list of CURVE=WHERE or CURVE:OPERATION=WHERE, separated by commas. CURVE is a name that OpenSSL knows or
   "*", OPERATION one of sign, verify, derive, keygen, and WHERE is hardware or software. Of the entries that fit a job,
   the last one counts.

   OpenSSL goes on without a word if a provider cannot be loaded, so that all work would be done in software. Therefore
   this provider is loaded even if a setting is malformed, and every operation fails with the reason. */
#ifndef ECCEL_PROVIDER_CONFIG_H
#define ECCEL_PROVIDER_CONFIG_H

#include <stdbool.h>

struct provider;

struct config {
    const char *devices, *route, *counters, *software; /* NULL if not set; the strings belong to the core */
    bool fallback, blind, check;
    unsigned software_below, timeout_ms, retry_ms, connect_ms, max_in_flight;
    char complaint[200]; /* "" if all settings are good */
};

/* Reads and checks the settings. If one is malformed, config->complaint says which. */
void config_read(struct provider *provider);

/* Notes what is wrong with a setting; the first complaint is kept. */
void config_complain(struct config *config, const char *name, const char *value, const char *advice);

/* Whether jobs of `operation` (enum operation) on the curve with this numeric identifier go to hardware. */
bool config_hardware(const struct config *config, int nid, int operation);

#endif
