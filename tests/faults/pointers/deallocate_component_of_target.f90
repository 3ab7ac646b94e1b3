! told at 10:15: Pointer 'p' cannot be deallocated: its target is a part of what was allocated
program fault
  type pair
    real :: a, b
  end type
  type(pair), pointer :: t
  real, pointer :: p
  allocate (t)
  p => t%a
  deallocate (p)
end program
