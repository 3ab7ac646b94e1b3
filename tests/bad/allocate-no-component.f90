! ALLOCATE, DEALLOCATE and NULLIFY of components that the type does not have.
type t
  integer, pointer :: p, a(:)
end type
type(t) :: x
allocate(x%nope)
allocate(x%nope, x%a(3))
allocate(x%nope(3))
deallocate(x%nope)
nullify(x%nope)
end
