! Quick sort with a stack
! check 4.513549000000000E+06
module kernel
  use support
  implicit none
  integer, parameter :: n = 1000
  integer :: a(n), a0(n)
contains
  subroutine setup()
    call shuffle(a0, n)
  end subroutine

  subroutine run()
    a = a0
    call quick(a, 1, n)
  end subroutine

  real(8) function check()
    check = total_integers(a, n)
  end function

  recursive subroutine quick(a, l, r)
    integer, intent(inout) :: a(:)
    integer, intent(in) :: l, r
    integer :: i, j, p, t
    i = l
    j = r
    p = a((l + r) / 2)
    do
      do while (a(i) < p)
        i = i + 1
      end do
      do while (p < a(j))
        j = j - 1
      end do
      if (i <= j) then
        t = a(i)
        a(i) = a(j)
        a(j) = t
        i = i + 1
        j = j - 1
      end if
      if (i > j) exit
    end do
    if (l < j) call quick(a, l, j)
    if (i < r) call quick(a, i, r)
  end subroutine
end module
