! Procedure pointers, and addresses as C_PTR and C_FUNPTR
module m
  use iso_c_binding
  implicit none
  abstract interface
    real function fun(x)
      real, intent(in) :: x
    end function
    subroutine act(n)
      integer, intent(inout) :: n
    end subroutine
  end interface
  type :: table
    procedure(fun), pointer, nopass :: f => null()
    integer :: k = 3
    procedure(act), pointer, nopass :: a
  end type
  procedure(fun), pointer :: global => null()
contains
  real function twice(x)
    real, intent(in) :: x
    twice = 2*x
  end function
  real function half(x)
    real, intent(in) :: x
    half = x/2
  end function
  subroutine inc(n)
    integer, intent(inout) :: n
    n = n + 1
  end subroutine
  subroutine choose(p, up)
    procedure(fun), pointer, intent(out) :: p
    logical, intent(in) :: up
    if (up) then
      p => twice
    else
      p => half
    end if
  end subroutine
  function pick(up) result(r)
    logical, intent(in) :: up
    procedure(fun), pointer :: r
    r => half
    if (up) r => twice
  end function
  real function apply(f, x)
    procedure(fun) :: f
    real, intent(in) :: x
    apply = f(x)
  end function
end module
program p
  use m
  implicit none
  procedure(fun), pointer :: q
  procedure(act), pointer :: s => null()
  type(table) :: t, u(2)
  integer :: n
  type(c_funptr) :: cf
  type(c_ptr) :: cp, cq
  integer, target :: x(6) = [1,2,3,4,5,6]
  integer, pointer :: ip, ia(:), im(:,:)
  print *, associated(s)
  s => inc
  n = 1
  call s(n)
  print *, n, associated(s), associated(s, inc)
  q => twice
  print *, q(3.0), q(q(1.5))
  call choose(q, .false.)
  print *, q(3.0), apply(q, 10.), associated(q, half), associated(q, twice)
  q => pick(.true.)
  print *, q(3.0), apply(pick(.false.), 8.)
  t%f => twice
  t%a => inc
  call t%a(n)
  print *, n, t%f(2.0), associated(t%f)
  u(1) = t
  u(2) = table(half, 5, inc)
  print *, u(1)%f(1.), u(2)%f(1.), u(2)%k
  nullify(t%f)
  print *, associated(t%f), associated(u(1)%f)
  global => half
  print *, global(5.)
  cf = c_funloc(twice)
  call c_f_procpointer(cf, q)
  print *, q(21.), c_associated(cf), c_associated(c_null_funptr), c_associated(cf, c_funloc(twice))
  cp = c_loc(x)
  cq = c_loc(x(3))
  call c_f_pointer(cp, ia, [4])
  print *, ia, lbound(ia), ubound(ia)
  call c_f_pointer(cq, ip)
  print *, ip
  call c_f_pointer(cp, im, shape=[2,3])
  im(2,3) = 60
  print *, x, shape(im)
  print *, c_associated(cp, cq), c_associated(cp, c_loc(x)), c_associated(c_null_ptr)
  cp = c_null_ptr
  print *, c_associated(cp), c_sizeof(x), c_sizeof(cp)
  call inner
contains
  subroutine inner
    integer :: loc
    procedure(act), pointer :: z
    loc = 5
    z => bump
    call z(n)
    print *, n
    s => z
  end subroutine
  subroutine bump(k)
    integer, intent(inout) :: k
    k = k + n + 100
  end subroutine
end program
