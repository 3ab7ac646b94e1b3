! An internal procedure that is passed on, and reaches variables of all kinds of its host.
module m
contains
  recursive subroutine apply(f)
    external f
    call f()
  end subroutine
  function outer(v, c, s, z, n, a, p, q, o, al) result(res)
    integer, value :: v
    character, value :: c
    type t
      integer :: a(5)
      real, pointer :: x
    end type
    character(*) :: s
    complex, value :: z
    integer :: n, a(n)
    integer :: p(:)
    integer, pointer :: q(:)
    integer, optional :: o
    integer, allocatable :: al(:)
    integer, pointer :: res(:), lp, lq(:)
    real, allocatable :: x, y(:, :)
    character(n) :: w
    character(:), pointer :: dc
    procedure(), pointer :: pp
    integer, target :: tt(4)
    logical, save :: first = .true.
    type(t) :: loc
    type(t), pointer :: pt
    type(t), allocatable :: at(:)
    integer :: i
    allocate (res(2), lp, lq(3), x, y(2, 2), pt, at(2))
    lp = 1; lq = 2; x = 3; y = 4; w = 'abc'; tt = 5
    pt%a = 7; loc%a = 8; at(1)%a = 9; at(2)%a = 10
    res = 11
    do i = 1, 2
      call apply(inner)
    end do
    block
      integer :: bl, ba(n)
      integer, allocatable :: bb(:)
      bl = 3; ba = 4; allocate (bb(2)); bb = 2
      call apply(inner)
      print *, bl, ba, bb
    end block
    call apply(inner2)
    print *, v, c, s, z, n, a, p, q, al, lp, lq, x, y, w
  contains
    subroutine inner()
      v = v + 1; c = 'q'; s(1:1) = 'Q'; z = z * 2; a = a + 1; p = p + 1; q = q + 1
      if (present(o)) o = o + 1
      al = al * 2
      lp = lp + 1; lq = lq + 1; x = x + 1; y = y + 1; w(2:2) = 'Z'; tt = tt + 1; first = .false.
      pt%a = pt%a + 1; loc%a = 0; at(1)%a = 3
      res = res + i
    end subroutine
    subroutine inner2()
      deallocate (lq); allocate (lq(5)); lq = 77
      nullify (lp); lp => tt(2)
      deallocate (y); allocate (y(1, 1)); y = 5
      call apply(inner)
    end subroutine
  end function
end module
program main
  use m
  integer :: a(2), p(3), o
  integer, pointer :: q(:)
  integer, allocatable :: al(:)
  character(3) :: s
  integer, pointer :: r(:)
  interface
  end interface
  a = 1; p = 2; o = 3; allocate (q(2), al(1)); q = 4; al = 5; s = 'xyz'
  r => outer(1, 'c', s, (1.0, 2.0), 2, a, p, q, o, al)
  print *, r, a, p, q, o, al, s
end program
