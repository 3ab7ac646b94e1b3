! told at 10:18: Array bound mismatch for dimension 1 of array 't%b'
program fault
  type pair
    real, allocatable :: a(:), b(:)
  end type
  type(pair) :: t
  allocate (t%a(2), t%b(3))
  t%a = 1
  t%b = 2
  print *, t%a + t%b
end program
