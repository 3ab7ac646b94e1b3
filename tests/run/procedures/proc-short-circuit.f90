! Logical operators with function operands whose results alone matter. How
! often an operand with side effects is called is not defined, so none has any.
module asked
  implicit none
contains
  logical function above(n, limit)
    integer, intent(in) :: n, limit
    above = n > limit
  end function above
end module asked
program proc_short_circuit
  use asked
  implicit none
  integer :: a(3), i
  a = (/ 5, 6, 7 /)
  do i = 0, 4
    if (above(i, 0) .and. above(4, i)) then
      if (a(i) == 6 .or. above(a(i), 6)) print *, 'found', i
    else if (.not. (above(i, 0) .or. above(4, i))) then
      print *, 'never'
    else
      print *, 'outside', i
    end if
  end do
  print *, above(1, 2) .eqv. above(2, 3), above(1, 2) .neqv. above(3, 2)
end program
