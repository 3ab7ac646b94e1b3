! A loop that only counts, in a nest whose loops change places, reads memory: all of it leaves the nest.
program count_loop_in_nest
  implicit none
  integer :: n, i, j, k
  real :: a(-3:11), b(-3:11)
  character(4) :: c
  do i = -3, 11
    a(i) = i
    b(i) = i * 0.5
  end do
  n = int(b(11)) + 3
  c = 'dab'
  do i = 0, n, 3
    do j = n - 1, 0, -3
      a(j + 1) = b(i + 2) + b(j)
      do k = i - 1, 2, -1
        if (c >= achar(modulo(k - j, 5) + 97)) cycle
      end do
    end do
  end do
  print *, a
end program
