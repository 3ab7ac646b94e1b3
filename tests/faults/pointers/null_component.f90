! told at 7:3: Pointer 't%p' is not associated
program fault
  type t_
    integer, pointer :: p => null()
  end type
  type(t_) :: t
  t%p = 4
  print *, t%p
end program
