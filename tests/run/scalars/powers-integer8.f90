program powers_wide
  implicit none
  integer :: i
  integer(8) :: n8
  complex(8) :: z
  real(8) :: x
  real(4) :: r
  complex(4) :: c
  call get(n8)
  do i = -7, 7
    z = (1.1d0, 0.3d0)*(i + 0.37d0); x = 1.1d0 + i*0.013d0; r = real(x); c = cmplx(z)
    print '(i4,4z18,z10,2z10)', i, z**i, x**int(i, 8), x**i, r**int(i, 8), c**i
    print '(i4,4z18)', i, z**int(i, 8), x**(n8 + i)
  end do
  print *, 0.999999999d0**(n8 + 4294967296_8), (-1d0)**(n8 + 4294967295_8), (-1)**(n8 + 4294967295_8), 2**(n8+3)
contains
  subroutine get(n)
    integer(8), intent(out) :: n
    n = 0
  end subroutine
end program
