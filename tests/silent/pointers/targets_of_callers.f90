program right
  integer, pointer :: p
  integer, target :: n
  integer :: k
  n = 1
  do k = 1, 5
    call outer(k)
  end do
  print *, n
contains
  subroutine outer(k)
    integer, intent(in) :: k
    integer, target :: local(3)
    integer :: plain
    local = k
    p => local(2)
    call inner
    plain = k
    call through(plain)
    n = n + plain + p
    p => n
    call inner
  end subroutine
  subroutine inner
    integer, target :: x(3)
    integer, pointer :: q
    x = 7
    q => x(1)
    p = p + q
  end subroutine
  subroutine through(x)
    integer, target :: x
    integer, pointer :: before
    before => p
    p => x
    call inner
    p => before
  end subroutine
end program
