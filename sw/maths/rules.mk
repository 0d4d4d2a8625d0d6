# Mathematics packages: one library for Python, one that PARI/GP installs, one for Octave. Each has libeccel inside.
#
#   make -C sw maths-core                build/sw/maths/python (needs GMP: apt install libgmp-dev)
#   make -C sw maths-pari                build/sw/maths/pari   (apt install pari-gp libpari-dev)
#   make -C sw maths-octave              build/sw/maths/octave (apt install octave octave-dev)
MATHS := $(B)/maths
MATHS_SOURCES := $(patsubst $(SW)/%,%,$(wildcard $(SW)/maths/core/*.c))
MATHS_OBJECTS := $(call object,$(MATHS_SOURCES))
MATHS_LINK = $(CC) -shared -Wl,--exclude-libs,ALL
MATHS_PYTHON := $(patsubst $(SW)/maths/python/%,%,$(wildcard $(SW)/maths/python/eccel_maths/*.py))
MATHS_LIBRARY := $(MATHS)/python/eccel_maths/libeccel_maths.so

.PHONY: maths-core maths-pari maths-octave
maths-core: $(MATHS_LIBRARY) $(addprefix $(MATHS)/python/,$(MATHS_PYTHON))

$(MATHS_LIBRARY): $(MATHS_OBJECTS) $(LIB_A)
	@mkdir -p $(@D)
	$(MATHS_LINK) -Wl,-z,defs $^ -o $@ $(ALL_LDFLAGS) -lgmp -ldl

$(MATHS)/python/%.py: $(SW)/maths/python/%.py
	@mkdir -p $(@D)
	cp $< $@

# gp has the functions of PARI: the library finds them there when it is loaded.
MATHS_PARI_SOURCES := $(patsubst $(SW)/%,%,$(wildcard $(SW)/maths/pari/*.c))
MATHS_PARI_OBJECTS := $(call object,$(MATHS_PARI_SOURCES))
$(MATHS_PARI_OBJECTS): EXTRA_CFLAGS = -I$(SW)/maths/core

maths-pari: $(MATHS)/pari/eccel_pari.so $(MATHS)/pari/eccel.gp $(MATHS)/pari/gprc

$(MATHS)/pari/eccel_pari.so: $(MATHS_PARI_OBJECTS) $(MATHS_OBJECTS) $(LIB_A)
	@mkdir -p $(@D)
	$(MATHS_LINK) $^ -o $@ $(ALL_LDFLAGS) -lgmp -ldl

$(MATHS)/pari/%: $(SW)/maths/pari/%.in
	@mkdir -p $(@D)
	sed -e 's|@FOLDER@|$(MATHS)/pari|' $< > $@

# Octave's MEX interface is in C, and Matlab has it, too.
MATHS_OCTAVE_SOURCES := maths/octave/eccel_mex.c
MATHS_OCTAVE_OBJECTS := $(call object,$(MATHS_OCTAVE_SOURCES))
MATHS_M := $(patsubst $(SW)/maths/octave/%,%,$(wildcard $(SW)/maths/octave/*/*.m $(SW)/maths/octave/*/*/*.m))
$(MATHS_OCTAVE_OBJECTS): EXTRA_CFLAGS = -I$(SW)/maths/core $(subst -I,-isystem ,$(shell mkoctfile -p INCFLAGS))

maths-octave: $(MATHS)/octave/engine/eccel_mex.mex $(addprefix $(MATHS)/octave/,$(MATHS_M))

$(MATHS)/octave/engine/eccel_mex.mex: $(MATHS_OCTAVE_OBJECTS) $(MATHS_OBJECTS) $(LIB_A)
	@mkdir -p $(@D)
	$(MATHS_LINK) $^ -o $@ $(ALL_LDFLAGS) -lgmp -ldl

$(MATHS)/octave/%.m: $(SW)/maths/octave/%.m
	@mkdir -p $(@D)
	cp $< $@

-include $(MATHS_OBJECTS:.o=.d) $(MATHS_PARI_OBJECTS:.o=.d) $(MATHS_OCTAVE_OBJECTS:.o=.d)
