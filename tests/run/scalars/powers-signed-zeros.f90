program powers_signed_zeros
  ! zeros with signs, constants
  complex(8) :: z
  real(8) :: x
  z = (1d0, -0d0); x = 1.7d0
  print *, z**2, z**3, z**1, z**0, z**(-1), z**(-2), z**2_8, z**(-3_8), z**5_8
  z = (-0d0, 2.5d0)
  print *, z**2, z**3, z**1, z**0, z**(-1), z**(-2), z**2_8, z**(-3_8), z**5_8
  print *, x**(-3), x**(-3_8), x**7_8, x**100_8, x**(-100_8), x**2_8, x**(-1_8)
  print *, x**int(3,2), x**int(-3,1), 3**(-1_8), (-1_8)**(-3), 0.5**(-120_8)
end program
