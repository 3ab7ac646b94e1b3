! A pointer to a TARGET of the caller, which a procedure sets and leaves.
program right
  integer, target :: a(3)
  integer, pointer :: p(:)
  a = (/ 1, 2, 3 /)
  call set(p, a)
  p(2) = 20
  call clear(p)
  print *, a, associated(p)
contains
  subroutine set(q, x)
    integer, pointer :: q(:)
    integer, target :: x(:)
    q => x
  end subroutine
  subroutine clear(q)
    integer, pointer :: q(:)
    nullify (q)
  end subroutine
end program
