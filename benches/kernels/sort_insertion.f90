! Insertion sort of short rows
! check 4.509618400000000E+07
module kernel
  use support
  implicit none
  integer, parameter :: n = 20, m = 50
  integer :: a(n, m), a0(n, m)
contains
  subroutine setup()
    call fill_integers(a0, n * m, 10000)
  end subroutine

  subroutine run()
    integer :: i, j, k, t
    a = a0
    do k = 1, m
      do i = 2, n
        t = a(i, k)
        j = i - 1
        do while (j >= 1)
          if (a(j, k) <= t) exit
          a(j + 1, k) = a(j, k)
          j = j - 1
        end do
        a(j + 1, k) = t
      end do
    end do
  end subroutine

  real(8) function check()
    check = total_integers(a, n * m)
  end function
end module
