! Dummy arguments with VALUE, and results, that pointers or parts of them reach.
module by_value
contains
  subroutine outer(v, w, z)
    integer, value, target :: v
    integer, value :: w
    complex, value, target :: z
    integer, pointer :: p
    complex, pointer :: q
    p => v
    q => z
    p = p + 1
    v = v * 2
    q = q + (1, 1)
    call change(p)
    print *, v, p, w, z, q
    v = 7
    z = z * 2
    print *, p, q, loc(v) == loc(p)
  end subroutine
  subroutine change(p)
    integer, pointer :: p
    p = p + 100
  end subroutine
  integer function fv(v) bind(c)
    use iso_c_binding
    integer(c_int), value, target :: v
    type(c_ptr) :: c
    integer(c_int), pointer :: p
    c = c_loc(v)
    call c_f_pointer(c, p)
    p = p + 1
    fv = v
  end function
  integer function fe(v)
    integer :: ge
    integer, value, target :: v
    integer, pointer :: p
    entry ge(v)
    p => v
    p = p + 1
    fe = v
  end function
end module
use by_value
call outer(3, 4, (1.0, 2.0))
print *, fv(3), fe(5), ge(6)
end
