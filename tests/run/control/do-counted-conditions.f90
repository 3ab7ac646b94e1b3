! Loops and conditionals without content go; how often each comparison of a DO variable held is still known.
program conditions
  implicit none
  integer :: n, k, total
  read *, n, k
  call nothing(n, k, 1)
  call nothing(k, n, 2)
  call nothing(-n, k, 1)
  call diagonal(n, total)
  print *, total
  call backwards(n, k)
  call scaled(n, k)
  print *, 'done'
contains
  subroutine nothing(n, k, step)
    integer, intent(in) :: n, k, step
    integer :: i
    do i = 1, n, step
      if (i > k) then
      end if
      if (i >= k) then
      end if
      if (i < k) then
      end if
      if (k <= i) then
      else
      end if
      if (i == k) then
      end if
      if (i /= k .and. n > 3) then
      end if
      if (n > 100 .or. i == 2) then
      end if
      if (.not. i < k) then
      end if
    end do
  end subroutine
  subroutine diagonal(n, total)
    integer, intent(in) :: n
    integer, intent(out) :: total
    integer :: i, j, t
    total = 0
    do i = 1, n
      total = total + i
      do j = 1, n
        if (i == j) then
          t = 1
        else if (j > i + 1) then
          t = 2
        end if
      end do
    end do
  end subroutine
  subroutine backwards(n, k)
    integer, intent(in) :: n, k
    integer :: i
    do i = n, -n, -3
      if (i + 1 > k) then
      end if
      if (k - i >= 0) then
      end if
    end do
  end subroutine
  subroutine scaled(n, k)
    integer, intent(in) :: n, k
    integer :: i
    do i = -n, n
      if (3*i - 1 < k) then
      end if
      if (2*i == k - i) then
      end if
    end do
  end subroutine
end program
