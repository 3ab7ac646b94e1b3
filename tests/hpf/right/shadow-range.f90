! SHADOW, RANGE, and SHADOW= in a format, as directives and as attributes.
program extensions
  implicit none
  real :: a(16, 16), b(16), c(16), d(16), e(16, 4)
!HPF$ PROCESSORS p(4)
!HPF$ DISTRIBUTE a(BLOCK, *) ONTO p
!HPF$ SHADOW a(1:2, 0)
!HPF$ DISTRIBUTE b(BLOCK(SHADOW=1)) ONTO p
!HPF$ DISTRIBUTE c(BLOCK(4, SHADOW=(1:2))) ONTO p
!HPF$ DISTRIBUTE (BLOCK), SHADOW (1), DYNAMIC :: d
!HPF$ RANGE d (BLOCK), (CYCLIC()), (ALL)
!HPF$ DISTRIBUTE (BLOCK, *), RANGE (BLOCK, *), (CYCLIC, *) :: e
  a = 1; b = 2; c = 3; d = 4; e = 5
!HPF$ REDISTRIBUTE d(CYCLIC(2))
  print *, nint(sum(a) + sum(b) + sum(c) + sum(d) + sum(e))
end program
