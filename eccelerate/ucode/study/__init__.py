"""Programs of the study core rtl/compare/eccel_study.sv: formulas, schedules, ROM images."""
