! Primes by a sieve
! check 5.500000000000000E+02
module kernel
  use support
  implicit none
  integer, parameter :: n = 4000
  logical(1) :: prime(n)
  integer :: found
contains
  subroutine setup()
    found = 0
  end subroutine

  subroutine run()
    integer :: i, j
    prime = .true.
    prime(1) = .false.
    do i = 2, 63
      if (prime(i)) then
        do j = i * i, n, i
          prime(j) = .false.
        end do
      end if
    end do
    found = count(prime)
  end subroutine

  real(8) function check()
    check = found
  end function
end module
