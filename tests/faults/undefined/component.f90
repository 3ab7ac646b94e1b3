! told at 9:18: 't%b'
! flags: -fcheck=undefined
program fault
  type pair
    integer :: a, b
  end type
  type(pair) :: t
  t%a = 1
  print *, t%a + t%b
end program
