! ASSOCIATED of procedure pointers and internal procedures
program internal
  implicit none
  abstract interface
    integer function f_if(n)
      integer, intent(in) :: n
    end function
  end interface
  type :: holder
    procedure(f_if), pointer, nopass :: f => null()
  end type
  procedure(f_if), pointer :: p, q
  type(holder) :: h
  integer :: base = 100
  p => plus
  q => plus
  h%f => minus
  print *, associated(p, plus), associated(p, minus), associated(p, q), associated(h%f, minus)
  q => h%f
  print *, associated(q, minus), associated(q, h%f), associated(q, p), q(1), p(1)
  nullify (q)
  print *, associated(q), associated(q, plus)
  print *, same(plus, p), same(minus, p)
contains
  integer function plus(n)
    integer, intent(in) :: n
    plus = base + n
  end function
  integer function minus(n)
    integer, intent(in) :: n
    minus = base - n
  end function
  logical function same(f, g)
    procedure(f_if) :: f
    procedure(f_if), pointer, intent(in) :: g
    same = associated(g, f)
  end function
end program
