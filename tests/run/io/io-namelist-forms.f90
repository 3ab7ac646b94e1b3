! NAMELIST output of every type, with repeats and long lists
program a
integer :: i=1,k(8)=(/1,2,3,4,5,6,7,8/),m(12)=7, n(2,3)=reshape((/1,1,2,2,3,3/),(/2,3/))
integer*8 :: i8=5
integer*1 :: i1=3
real :: x=1.5, v(7)=(/1.,2.,3.,4.,5.,6.,7./)
real*8 :: d=2.5d0
logical :: l=.true., ll(3)=(/.true.,.true.,.false./)
character*8 :: c='hel"lo', ca(3)*3=(/'zz','zz','yy'/)
character :: long*90 = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
complex :: z=(1.,2.), zz(2)=(3.,4.)
complex*16 :: cz=(1d0,2d0)
namelist /grp/ i,k,m,n,i8,i1,x,v,d,l,ll,c,ca,z,zz,cz,long
write(*,grp)
open(10,delim='apostrophe',status='scratch')
write(10,grp)
rewind 10
do j=1,3
read(10,'(a)') long
end do
print *,long
end
