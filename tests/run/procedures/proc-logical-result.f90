! Functions of all simple types as conditions and operands.
program proc_logical_result
  implicit none
  integer :: i
  logical, external :: prime
  complex(kind=8), external :: unit
  character(len=3), external :: ordinal
  real, external :: half
  do i = 1, 7
    if (prime(i)) then
      print *, i, ordinal(i), half(i)
    else if (.not. prime(i + 1) .or. i == 1) then
      print *, i, unit(i)
    end if
  end do
end program
logical function prime(n)
  implicit none
  integer, intent(in) :: n
  integer :: d
  prime = n > 1
  do d = 2, n - 1
    if (d * d > n) exit
    if (mod(n, d) == 0) prime = .false.
  end do
end function
complex(kind=8) function unit(k)
  implicit none
  integer, intent(in) :: k
  unit = (0.0d0, 1.0d0) ** k
end function
character(len=3) function ordinal(n)
  implicit none
  integer, intent(in) :: n
  write (ordinal, '(i1, a)') n, 'th'
end function
real function half(n)
  implicit none
  integer, intent(in) :: n
  half = n * 0.5
end function
