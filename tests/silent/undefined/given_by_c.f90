! C gives the variables their values, by their names and by an address.
module m
  use iso_c_binding
  integer(c_int) :: n
  integer(c_int), target :: k
  interface
    subroutine set_all() bind(c)
    end subroutine
    subroutine set_later(at) bind(c)
      import
      type(c_ptr), value :: at
    end subroutine
  end interface
end module
program right
  use m
  integer(c_int) :: a, b(3)
  common /shared/ a, b
  call set_later(c_loc(k))
  call set_all
  print *, n, k, a, b(3)
end program
