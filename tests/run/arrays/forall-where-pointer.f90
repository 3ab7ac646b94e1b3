! WHERE in a FORALL that selects and assigns targets of POINTER components.
program w
  implicit none
  type t
    integer :: s
    integer, dimension(:), pointer :: p
  end type
  type (t), dimension (3) :: v
  integer i
  allocate (v(1)%p(2), v(2)%p(8), v(3)%p(2))
  v(:)%s = (/2, 8, 2/)
  v(1)%p = (/9,10/)
  v(2)%p = (/1,2,3,4,5,6,7,8/)
  v(3)%p = (/11,12/)
  forall (i=1:3)
    where (v(i)%p(1:v(i)%s).gt.4)
      v(i)%p(1:v(i)%s) = v(4-i)%p(1:v(i)%s)
    end where
  end forall
  do i=1,3
  print *, v(i)%p
  end do
end
