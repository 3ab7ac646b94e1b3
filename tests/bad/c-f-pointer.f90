program p
  use iso_c_binding
  integer, pointer :: q
  type(c_ptr) :: c
  call c_f_pointer(c, q, [3])
end program
