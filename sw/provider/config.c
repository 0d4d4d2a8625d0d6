/* Reads the settings from the core.
   SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <openssl/core_names.h>
#include <openssl/params.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "errors.h"
#include "provider.h"

static bool parse_yes_no(const struct provider *provider, const char *name, const char *text, bool *value)
{
    static const char *const words[] = {"no", "yes", "0", "1", "off", "on", "false", "true"};
    if (text == NULL)
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i]) == 0) {
            *value = i & 1;
            return true;
        }
    RAISE(provider, REASON_SETTING, "%s = %s: write yes or no", name, text);
    return false;
}

static bool parse_number(const struct provider *provider, const char *name, const char *text, unsigned *value)
{
    if (text == NULL)
        return true;
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || number > 100000000) {
        RAISE(provider, REASON_SETTING, "%s = %s: write a number up to 100000000", name, text);
        return false;
    }
    *value = (unsigned)number;
    return true;
}

struct rule {
    char curve[64];
    int operation; /* -1: all */
    bool hardware;
};

/* Reads one entry of a route and moves *text past it. Returns 1, 0 at the end, -1 if it is malformed. */
static int next_rule(const char **text, struct rule *rule)
{
    static const char *const names[OPERATIONS] = {"sign", "verify", "derive", "keygen", "keygen"};
    const char *start = *text + strspn(*text, ", \t");
    if (*start == '\0')
        return 0;
    const char *end = start + strcspn(start, ", \t");
    *text = end;
    const char *equals = memchr(start, '=', (size_t)(end - start));
    if (equals == NULL)
        return -1;
    const char *colon = memchr(start, ':', (size_t)(equals - start));
    size_t length = (size_t)((colon != NULL ? colon : equals) - start);
    if (length == 0 || length >= sizeof rule->curve)
        return -1;
    memcpy(rule->curve, start, length);
    rule->curve[length] = '\0';
    rule->operation = -1;
    if (colon != NULL) {
        size_t size = (size_t)(equals - colon - 1);
        for (int i = 0; i < OPERATION_KEYGEN; i++)
            if (strlen(names[i]) == size && strncasecmp(colon + 1, names[i], size) == 0)
                rule->operation = i;
        if (rule->operation < 0)
            return -1;
    }
    size_t size = (size_t)(end - equals - 1);
    rule->hardware = size == 8 && strncasecmp(equals + 1, "hardware", size) == 0;
    if (!rule->hardware && !(size == 8 && strncasecmp(equals + 1, "software", size) == 0))
        return -1;
    return strcmp(rule->curve, "*") == 0 || curves_nid(rule->curve) != 0 ? 1 : -1;
}

static bool check_route(const struct provider *provider, const char *route)
{
    struct rule rule;
    int result = 1;
    for (const char *text = route; text != NULL && result > 0;)
        result = next_rule(&text, &rule);
    if (result < 0)
        RAISE(provider, REASON_SETTING, "route = %s: write CURVE=software, CURVE:sign=hardware, ..", route);
    return result >= 0;
}

bool config_hardware(const struct config *config, int nid, int operation)
{
    bool hardware = true;
    struct rule rule;
    if (operation == OPERATION_KEYGEN)
        return true; /* software cannot put a key into a slot */
    for (const char *text = config->route; text != NULL && next_rule(&text, &rule) > 0;)
        if ((rule.operation < 0 || rule.operation == operation) &&
            (strcmp(rule.curve, "*") == 0 || (nid != 0 && curves_nid(rule.curve) == nid)))
            hardware = rule.hardware;
    return hardware;
}

bool config_read(struct provider *provider)
{
    struct config *config = &provider->config;
    *config = (struct config){.fallback = true, .blind = true, .timeout_ms = 10000, .retry_ms = 1000,
                              .connect_ms = 2000, .max_in_flight = 4096};
    const char *fallback = NULL, *blind = NULL, *below = NULL, *timeout = NULL, *retry = NULL, *connect = NULL,
               *in_flight = NULL;
#define SETTING(name, variable) OSSL_PARAM_utf8_ptr(name, (char **)(variable), 0)
    OSSL_PARAM settings[] = {
        SETTING("devices", &config->devices),
        SETTING("route", &config->route),
        SETTING("counters", &config->counters),
        SETTING("software", &config->software),
        SETTING("fallback", &fallback),
        SETTING("blind", &blind),
        SETTING("software-below", &below),
        SETTING("timeout-ms", &timeout),
        SETTING("retry-ms", &retry),
        SETTING("connect-ms", &connect),
        SETTING("max-in-flight", &in_flight),
        OSSL_PARAM_END,
    };
    if (provider->core_get_params != NULL && !provider->core_get_params(provider->core, settings))
        return false;
    return parse_yes_no(provider, "fallback", fallback, &config->fallback) &&
           parse_yes_no(provider, "blind", blind, &config->blind) &&
           parse_number(provider, "software-below", below, &config->software_below) &&
           parse_number(provider, "timeout-ms", timeout, &config->timeout_ms) &&
           parse_number(provider, "retry-ms", retry, &config->retry_ms) &&
           parse_number(provider, "connect-ms", connect, &config->connect_ms) &&
           parse_number(provider, "max-in-flight", in_flight, &config->max_in_flight) &&
           check_route(provider, config->route);
}
