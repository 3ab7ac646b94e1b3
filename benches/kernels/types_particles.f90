! Particles as an array of structures
! check 2.392733414352826E+00
module kernel
  use support
  implicit none
  integer, parameter :: n = 300
  type particle
    real(8) :: x(3), v(3), m
  end type
  type(particle) :: p(n)
contains
  subroutine setup()
    integer :: i
    real(8) :: t(7)
    do i = 1, n
      call fill(t, 7)
      p(i) = particle(t(1:3), t(4:6) - 0.5d0, t(7))
    end do
  end subroutine

  subroutine run()
    integer :: i
    real(8) :: e
    e = 0
    do i = 1, n
      p(i)%x = p(i)%x + 1d-9 * p(i)%v
      e = e + 0.5d0 * p(i)%m * (p(i)%v(1) ** 2 + p(i)%v(2) ** 2 + p(i)%v(3) ** 2)
    end do
    p(1)%m = 0.5d0 + e * 1d-9
  end subroutine

  real(8) function check()
    check = p(1)%m + p(7)%x(2) * 3 + p(300)%v(3)
  end function
end module
