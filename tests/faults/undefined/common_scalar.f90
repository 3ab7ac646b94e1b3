! told at 7:10: Variable 'b' is used before it has a value
! flags: -fcheck=undefined
subroutine s
  integer :: a, b
  common /c/ a, b
  a = 1
  print*,b
end subroutine
program fault
  call s
end program
