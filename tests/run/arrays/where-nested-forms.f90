! WHERE constructs with masks on every ELSEWHERE, nested, of numbers and characters, with elemental calls.
program p
  implicit none
  real :: a(6) = [1.,-2.,3.,-4.,5.,0.], b(6)
  integer :: k(6), i
  character(3) :: c(6)
  where (a > 0)
    b = sqrt(a)
    where (b > 1.5)
      k = 1
    elsewhere
      k = 2
    end where
  elsewhere (a < 0)
    b = f(a)
    k = 3
  elsewhere
    b = -1
    k = 4
  end where
  print *, b, k
  where (k == 1)
    c = 'one'
  elsewhere (k == 3)
    c = 'th'//'r'
  elsewhere
    c = '...'
  end where
  print *, c
  where (a /= 0.0) a = 1.0/a
  print *, a
  where ([(mod(i,2)==0, i=1,6)]) a = sum(a)
  print *, a
  forall (i=1:6, a(i) > 0)
    a(i) = a(7-i)
    k(i) = i
  end forall
  print *, a, k
  print *, a
contains
  elemental real function f(x)
    real, intent(in) :: x
    f = x*x
  end function
end program
