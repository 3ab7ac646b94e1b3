subroutine sieve(is_prime, n)
  implicit none
  integer, intent(in) :: n
  logical, intent(out) :: is_prime(n)
  integer :: i, j
  is_prime = .true.
  is_prime(1) = .false.
  do i = 2, n
    if (i * i > n) exit
    if (.not. is_prime(i)) cycle
    do j = i * i, n, i
      is_prime(j) = .false.
    end do
  end do
end subroutine
