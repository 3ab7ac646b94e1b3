program sieve
  implicit none
  integer, parameter :: n = 200000
  logical :: p(n)
  integer :: i, j, r, c
  do r = 1, 150
    p = .true.
    p(1) = .false.
    do i = 2, n
      if (.not. p(i)) cycle
      if (i > n/i) exit
      do j = i*i, n, i
        p(j) = .false.
      end do
    end do
    c = 0
    do i = 1, n
      if (p(i)) c = c + 1
    end do
  end do
  print *, c
end program
