! Default content is there at every entry: of large arrays, in BLOCKs, of INTENT(OUT) arguments that may be absent.
module parts
  implicit none
  type owner
    integer, allocatable :: v(:)
  end type owner
  type plain
    integer :: i = 7
    integer :: j(3) = [1, 2, 3]
  end type plain
contains
  subroutine large()
    type(plain) :: a(5000), z
    print *, a(1)%i, a(5000)%j, z%i
    a%i = 0
    z%i = 0
  end subroutine large

  subroutine set(n, x, y)
    integer, intent(in) :: n
    type(owner), optional, intent(out) :: x
    type(plain), optional, intent(out) :: y
    print *, n, present(x), present(y)
    if (present(x)) then
      print *, allocated(x%v)
      allocate(x%v(n))
      x%v = n
    end if
    if (present(y)) print *, y%i, y%j
  end subroutine set

  subroutine blocks(n)
    integer, intent(in) :: n
    integer :: k
    do k = 1, 3
      block
        type(owner) :: o
        type(plain) :: p(n)
        type(plain) :: q(4000)
        print *, allocated(o%v), p(n)%i, q(4000)%i
        p%i = k
        q%i = k
        call set(k, o)
        if (k == 2) cycle
        print *, o%v
      end block
    end do
  end subroutine blocks
end module parts

program main
  use parts
  implicit none
  type(owner) :: x
  type(plain) :: y
  call large()
  call large()
  call set(1)
  call set(2, x)
  call set(3, x, y)
  y%i = 1
  call set(4, y=y)
  call blocks(2)
  call blocks(3)
  block
    type(owner) :: z(2)
    print *, allocated(z(1)%v), allocated(z(2)%v), x%v
    z = x
    z(1)%v(1) = 8
    print *, z(1)%v, z(2)%v, x%v
  end block
end program main
