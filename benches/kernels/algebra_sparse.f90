! A sparse matrix times a vector
! check 4.987944420394698E+03
module kernel
  use support
  implicit none
  integer, parameter :: n = 300, per = 7
  real(8) :: v(n * per), x(n), y(n)
  integer :: first(n + 1), column(n * per)
contains
  subroutine setup()
    integer :: i
    call fill(v, n * per)
    call fill(x, n)
    call fill_integers(column, n * per, n)
    column = column + 1
    do i = 1, n + 1
      first(i) = (i - 1) * per + 1
    end do
  end subroutine

  subroutine run()
    call multiply(n, v, first, column, x, y)
  end subroutine

  real(8) function check()
    check = total(y, n)
  end function

  subroutine multiply(n, v, first, column, x, y)
    integer :: n, first(n + 1), column(*), i, k
    real(8) :: v(*), x(n), y(n), s
    do i = 1, n
      s = 0
      do k = first(i), first(i + 1) - 1
        s = s + v(k) * x(column(k))
      end do
      y(i) = s
    end do
  end subroutine
end module
