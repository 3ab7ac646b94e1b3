! Infinities and NaN from arithmetic; comparisons with NaN; signed zero.
program num_special_values
  implicit none
  double precision :: zero, inf, nan, x
  common /hidden/ zero
  zero = 0.0d0
  inf = 1.0d0 / zero
  nan = zero / zero
  print *, inf, -inf, nan
  print *, nan == nan, nan /= nan, nan < 1.0d0, .not. nan < 1.0d0, inf > huge(inf)
  x = -zero
  print *, x, 1.0d0 / x, x == zero, sign(1.0d0, x)
  x = tiny(x) / 4.0d0
  print *, x > 0.0d0, x * 4.0d0 == tiny(x)
  if (nan > 0.0d0) then
    print *, 'more'
  else if (nan <= 0.0d0) then
    print *, 'less'
  else
    print *, 'neither'
  end if
end program
