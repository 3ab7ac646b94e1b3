! The result variable of a function, reached by an internal procedure that is passed on.
module m
  implicit none
contains
  subroutine each(n, act)
    integer, intent(in) :: n
    interface
      subroutine act(k)
        integer, intent(in) :: k
      end subroutine
    end interface
    integer :: k
    do k = 1, n
      call act(k)
    end do
  end subroutine
  function total(n, scale) result(s)
    integer, intent(in) :: n
    real, intent(in) :: scale
    real :: s
    s = 0
    if (n < 0) return
    call each(n, add)
    s = s*10
    call add(1)
  contains
    subroutine add(k)
      integer, intent(in) :: k
      s = s + k*scale
    end subroutine
  end function
  integer function fold(a)
    integer, intent(in) :: a(:)
    integer :: best(2), runs
    character(4) :: tag
    best = -huge(1)
    tag = 'none'
    runs = 0
    call each(size(a), look)
    fold = best(1)*100 + runs
    print *, best, tag
  contains
    subroutine look(k)
      integer, intent(in) :: k
      runs = runs + 1
      if (a(k) > best(1)) then
        best = [a(k), k]
        write (tag, '(a,i0)') 'k', k
      end if
    end subroutine
  end function
end module
program p
  use m
  implicit none
  integer :: f
  print *, total(3, 2.0), total(-1, 1.0), total(0, 1.0)
  f = fold([3, 9, 4, 9])
  print *, f
end program
