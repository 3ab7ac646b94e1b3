! told at 9:13: Variable 'calls' is used before it has a value
! flags: -fcheck=undefined
program fault
  print *, count_of(2)
contains
  integer function count_of(k)
    integer, intent(in) :: k
    integer, save :: calls
    calls = calls + k
    count_of = calls
  end function
end program
