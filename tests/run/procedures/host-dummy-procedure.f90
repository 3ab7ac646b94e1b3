! An internal procedure that is passed on calls a dummy procedure of its host.
module m
contains
 subroutine run(f)
  interface
   subroutine f
   end subroutine
  end interface
  call f
 end subroutine
 subroutine host(d, n)
  interface
   subroutine d(k)
    integer, intent(in) :: k
   end subroutine
  end interface
  integer :: n
  call run(inner)
 contains
  subroutine inner
   call d(n)
  end subroutine
 end subroutine
end module
program p
 use m
 integer :: t=5
 call host(q, 4)
contains
 subroutine q(k)
  integer, intent(in) :: k
  print *, k, t
 end subroutine
end program
