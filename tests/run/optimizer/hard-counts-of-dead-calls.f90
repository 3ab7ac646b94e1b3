! Calls of functions without effects whose results nothing needs: they are made, for what they
! count and what is counted by their results.
program calls
  implicit none
  integer :: n
  n = 3
  call dead(n)
  call texts(n)
  print *, total(n), n
contains
  subroutine dead(n)
    integer, intent(in) :: n
    integer :: i, t
    real :: x
    t = 0
    do i = 1, 20
      if (steps(i*n) > 5) t = t + 1
      x = sin(0.7*i) + steps(n)
      if (x > 2.3) t = t + 1
    end do
  end subroutine

  subroutine texts(n)
    integer, intent(in) :: n
    character(len=4) :: c
    integer :: i, t
    c = 'abca'
    t = 0
    do i = 1, n + 1
      if (c(i:i) == 'a') t = t + 1
      if (c(:i) == 'ab') t = t + index(c, 'b')
    end do
  end subroutine

  pure recursive integer function steps(k) result(r)
    integer, intent(in) :: k
    integer :: i
    r = 0
    do i = 1, k
      if (mod(i*k, 7) == 3) r = r + 1
    end do
    if (k > 50) r = r + steps(k/2)
  end function

  integer function total(n)
    integer, intent(in) :: n
    integer :: i
    total = 0
    do i = 1, n
      total = total + steps(n)
    end do
    if (n > 2) i = steps(total)
  end function
end program
