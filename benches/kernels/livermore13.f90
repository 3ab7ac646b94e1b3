! Livermore 13, particles in a cell in two dimensions
! check 2.169693908666074E+05
module kernel
  use support
  implicit none
  integer, parameter :: n = 128
  real(8) :: p(4, n), p0(4, n), b(64, 64), c(64, 64), h(64, 64), y(96), z(96)
  integer :: e(96), f(96)
contains
  subroutine setup()
    call fill(p0, 4 * n)
    p0 = p0 * 60 + 1
    call fill(b, 4096)
    call fill(c, 4096)
    call fill(y, 96)
    call fill(z, 96)
    call fill_integers(e, 96, 2)
    call fill_integers(f, 96, 2)
  end subroutine

  subroutine run()
    integer :: i1, j1, i2, j2, ip
    p = p0
    h = 0
    do ip = 1, n
      i1 = int(p(1, ip))
      j1 = int(p(2, ip))
      i1 = 1 + iand(i1, 63)
      j1 = 1 + iand(j1, 63)
      p(3, ip) = p(3, ip) + b(i1, j1)
      p(4, ip) = p(4, ip) + c(i1, j1)
      p(1, ip) = p(1, ip) + p(3, ip)
      p(2, ip) = p(2, ip) + p(4, ip)
      i2 = int(p(1, ip))
      j2 = int(p(2, ip))
      i2 = iand(i2, 63)
      j2 = iand(j2, 63)
      p(1, ip) = p(1, ip) + y(i2 + 32)
      p(2, ip) = p(2, ip) + z(j2 + 32)
      i2 = iand(i2 + e(i2 + 32), 63) + 1
      j2 = iand(j2 + f(j2 + 32), 63) + 1
      h(i2, j2) = h(i2, j2) + 1
    end do
  end subroutine

  real(8) function check()
    check = total(p, 4 * n) + total(h, 4096)
  end function
end module
