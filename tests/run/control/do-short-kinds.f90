! Loops over integers of one and two bytes whose values come near the end of the kind.
program main
  implicit none
  integer(1) :: i, h
  integer(2) :: j
  integer :: n
  n = 0
  do i = -2_1, 3_1, 127_1
    n = n + 1
  end do
  print *, n
  n = 0
  do i = 100_1, 126_1, 20_1
    n = n + i
  end do
  print *, n
  call count(-100_1, 126_1, n)
  print *, n
  call count(120_1, 126_1, n)
  print *, n
  call count(126_1, 120_1, n)
  print *, n
  n = 0
  do i = -127_1, 100_1, 50_1
    n = n + abs(int(i))
  end do
  print *, n
  h = 126_1
  n = 0
  do i = 126_1, h
    if (i == 126_1) then
      n = n + 100
    else
      n = n + 1
    end if
  end do
  print *, n
  n = 0
  do j = -32000_2, 32000_2, 16000_2
    n = n + 1
  end do
  print *, n
contains
  subroutine count(a, b, n)
    integer(1), intent(in) :: a, b
    integer, intent(out) :: n
    integer(1) :: k
    integer :: w(-128:127)
    w = 0
    do k = a, b, 50_1
      w(k) = w(k) + 1
    end do
    do k = a, b
      w(k) = w(k) + 1
    end do
    n = sum(w)
  end subroutine count
end program main
