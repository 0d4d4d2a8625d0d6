# Arty A7. Pins: Arty-A7-35-Master.xdc (github.com/Digilent/digilent-xdc).
set_property -dict {PACKAGE_PIN E3 IOSTANDARD LVCMOS33} [get_ports {clk_i}]
create_clock -name clk_i -period 10.000 [get_ports {clk_i}]
set_property -dict {PACKAGE_PIN C2 IOSTANDARD LVCMOS33} [get_ports {reset_ni}]
set_property -dict {PACKAGE_PIN D9 IOSTANDARD LVCMOS33} [get_ports {zeroise_i}]
# second channel of the FT2232H: uart_txd_in, uart_rxd_out
set_property -dict {PACKAGE_PIN A9 IOSTANDARD LVCMOS33} [get_ports {rxd_i}]
set_property -dict {PACKAGE_PIN D10 IOSTANDARD LVCMOS33} [get_ports {txd_o}]
set_property -dict {PACKAGE_PIN H5 IOSTANDARD LVCMOS33} [get_ports {led_o[0]}]
set_property -dict {PACKAGE_PIN J5 IOSTANDARD LVCMOS33} [get_ports {led_o[1]}]
set_property -dict {PACKAGE_PIN T9 IOSTANDARD LVCMOS33} [get_ports {led_o[2]}]
# buttons and lamps are slow, and the receiver synchronises its line
set_false_path -from [get_ports {reset_ni zeroise_i rxd_i}]
set_false_path -to [get_ports {txd_o led_o[*]}]
set_property CONFIG_VOLTAGE 3.3 [current_design]
set_property CFGBVS VCCO [current_design]
