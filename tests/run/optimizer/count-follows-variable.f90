! Loops with arms in which a variable of the program counts along: up, down, by more than one, past the largest integer, or not everywhere.
program follow
  implicit none
  integer :: a(97), i
  do i = 1, size(a)
    a(i) = mod(i*i*7 + 3*i, 23)
  end do
  call count_up(a, 11)
  call count_down(a, 10)
  call by_three(a)
  call in_both(a)
  call left_early(a, 9)
  call left_early(a, 1000)
  call not_alone(a)
  call while_loop(a)
  call wraps(a)
contains
  subroutine count_up(a, x)
    integer, intent(in) :: a(:), x
    integer :: i, small, large, same
    small = 0; large = 7; same = 0
    do i = 1, size(a)
      if (a(i) < x) then
        small = small + 1
      else if (a(i) > x) then
        large = large + 1
      else
        same = same + i
      end if
    end do
    print *, small, large, same
  end subroutine
  subroutine count_down(a, x)
    integer, intent(in) :: a(:), x
    integer :: i, left, sum
    left = 100; sum = 0
    do i = 1, size(a)
      if (a(i) /= x) cycle
      left = left - 1
      sum = sum + a(i)*left
    end do
    print *, left, sum
  end subroutine
  subroutine by_three(a)
    integer, intent(in) :: a(:)
    integer :: i
    integer(8) :: n, m
    n = 0; m = 0
    do i = 1, size(a)
      if (mod(a(i), 2) == 0) then
        n = n + 3
      else
        m = m - 5
      end if
    end do
    print *, n, m
  end subroutine
  subroutine in_both(a)
    integer, intent(in) :: a(:)
    integer :: i, n
    integer(8) :: m
    n = 0; m = 0
    do i = 1, size(a)
      if (a(i) > 15) then
        n = n + 1
        m = m + 1
      else if (a(i) < 4) then
        n = n + 1
      end if
      if (a(i) == 8) then
        n = n + 1
        m = m + 2
      end if
    end do
    print *, n, m
  end subroutine
  subroutine left_early(a, x)
    integer, intent(in) :: a(:), x
    integer :: i, n
    n = 0
    do i = 1, size(a)
      if (a(i) > 12) then
        n = n + 1
        if (n > x) exit
      end if
      if (a(i) == 1000) return
    end do
    print *, n, i
  end subroutine
  subroutine not_alone(a)
    integer, intent(in) :: a(:)
    integer :: i, n
    n = 0
    do i = 1, size(a)
      if (a(i) > 12) n = n + 1
      if (n == 4) n = 0
    end do
    print *, n
  end subroutine
  subroutine while_loop(a)
    integer, intent(in) :: a(:)
    integer :: i
    integer(8) :: n, m
    i = 1; n = 0; m = 0
    do while (i <= size(a))
      if (a(i) > 6) then
        n = n + 1
        i = i + 1
      else
        m = m + 1
        i = i + 2
      end if
    end do
    print *, n, m
  end subroutine
  subroutine wraps(a)
    integer, intent(in) :: a(:)
    integer :: i, n
    n = huge(n)
    n = n - 40
    do i = 1, size(a)
      if (a(i) > 15) n = n + 1
    end do
    print *, n > 0
  end subroutine
end program
