! told at 11:12: Variable 'b%side' is used before it has a value
! flags: -fcheck=undefined
program fault
  type box
    integer :: n
    real :: side(3)
  end type
  type(box) :: b
  b%n = 3
  print *, b%n
  print *, b%side(2)
end program
