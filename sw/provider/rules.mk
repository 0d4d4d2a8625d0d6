# The OpenSSL provider: eccel.so, with libeccel inside, so that one file is all that has to be installed.
#
#   make -C sw provider              build/sw/provider/eccel.so
#   make -C sw install-provider      copies it to where OpenSSL looks for modules
PROVIDER_SO := $(B)/provider/eccel.so
PROVIDER_SOURCES := $(patsubst $(SW)/%,%,$(wildcard $(SW)/provider/*.c))
PROVIDER_OBJECTS := $(call object,$(PROVIDER_SOURCES))

$(PROVIDER_OBJECTS): EXTRA_CFLAGS = -D_GNU_SOURCE

.PHONY: provider
provider: $(PROVIDER_SO)

# -z nodelete: wait contexts of applications may call back after the provider has been unloaded.
PROVIDER_LINK = $(CC) -shared -Wl,-z,defs -Wl,-z,nodelete -Wl,--exclude-libs,ALL

$(PROVIDER_SO): $(PROVIDER_OBJECTS) $(LIB_A)
	$(PROVIDER_LINK) $^ -o $@ $(ALL_LDFLAGS) -lcrypto -ldl

# The objects alone, for tests that link another device.
.PHONY: provider-objects
provider-objects: $(PROVIDER_OBJECTS)

-include $(PROVIDER_OBJECTS:.o=.d)

# Where OpenSSL looks for modules: `openssl version -m`. A module that is there needs no path in openssl.cnf.
MODULESDIR ?= $(LIBDIR)/ossl-modules

.PHONY: install-provider uninstall-provider
install-provider: $(PROVIDER_SO)
	install -D -m 644 $(PROVIDER_SO) $(DESTDIR)$(MODULESDIR)/eccel.so

uninstall-provider:
	rm -f $(DESTDIR)$(MODULESDIR)/eccel.so
