! enum, bind(c) and c_ptr, c_loc
program p
  use iso_c_binding
  implicit none
  enum, bind(c)
    enumerator :: red = 1, green, blue = 10, white
  end enum
  integer(kind(red)) :: c
  c = blue
  print *, red, green, blue, white, c, kind(red)
  select case (c)
  case (red)
    print *, 'red'
  case (blue)
    print *, 'blue'
  end select
end program
