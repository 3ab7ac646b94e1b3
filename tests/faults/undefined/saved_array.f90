! told at 9:14: Variable 'table' is used before it has a value: element (4)
! flags: -fcheck=undefined
subroutine note(k, v)
  integer, intent(in) :: k, v
  integer, save :: table(10)
  if (v > 0) then
    table(k) = v
  else
    print *, table(k)
  end if
end subroutine
program fault
  call note(3, 5)
  call note(3, 0)
  call note(4, 0)
end program
